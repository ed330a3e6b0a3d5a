/** The parser of PDF files: by far the largest of the libraries. */
export { getDocument } from 'unpdf/pdfjs'
export { CidMaps } from './pdf-cid-maps'
