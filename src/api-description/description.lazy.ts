/** The API as OpenAPI and as a page: only who reads it needs them. */
export { buildOpenApi } from './build-openapi'
export { renderDocsPage } from './docs-page'
