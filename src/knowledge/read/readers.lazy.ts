/** The readers of all kinds of documents and of archives and what cuts documents into chunks, without the parser of PDF files; and the reader of Markdown, for other texts too. */
export { openArchive, walkArchive } from '../../platform/uploads/read-archive'
export { readMarkdown } from '../../text/markdown'
export { spokenWords } from '../../text/spoken-words'
export { chunkDocument } from '../chunk-document'
export { readDocument } from './read-document'
export { readLinks, readSitemap } from './read-links'
export { readRobots } from './read-robots'
