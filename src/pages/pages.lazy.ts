/** The pages as HTML, what installs them, and the sites to try the widget on: a turn needs none of them. */
export { renderAgentList } from './agent-list-page'
export {
  renderAgentPage,
  renderFrontPage,
  renderNotFoundPage,
  renderProblemPage,
} from './agent-page'
export { buildManifest } from './app-manifest'
export { renderConsolePage } from './console-page'
export { renderFrameNotice } from './frame-notice'
export { renderLoginPage } from './login-page'
export { renderDemoHost, renderDemoIndex } from './widget-demo'
