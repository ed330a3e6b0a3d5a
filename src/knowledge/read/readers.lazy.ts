/** The readers of all kinds of documents, without the parser of PDF files. */
export { readDocument } from './read-document'
