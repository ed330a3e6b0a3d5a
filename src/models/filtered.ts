import { APICallError } from '@ai-sdk/provider'

/** Azure and OpenAI ("content management policy", `content_filter`), Alibaba, Zhipu. */
const SAID =
  /content[_ -]?filter|content management policy|data_inspection_failed|inappropriate content/iu

/** Whether an endpoint refuses a call for what is said in it, before its model has read it. */
export const isFiltered = (error: unknown): boolean =>
  APICallError.isInstance(error) &&
  error.statusCode === 400 &&
  SAID.test(error.responseBody ?? error.message)
