import { ApiError } from '../../errors'
import { type DetectedType, NO_DOCUMENT } from './detect-type'

/** A file that is no document that can be read, with the reason beside the contract's words. */
export const refuseFile = (type: DetectedType): ApiError =>
  new ApiError('unsupported_type', 'Unsupported file type', {
    publicCode: type.ok || type.isUnknown ? 'unsupported_type' : 'unreadable_file',
    facts: { reason: type.ok ? NO_DOCUMENT : type.reason },
  })
