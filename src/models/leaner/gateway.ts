/** Stands for @ai-sdk/gateway (`scripts/build-lazy.mjs`): models are always given as objects, never by a gateway's names. */
export class GatewayError extends Error {
  static isInstance(_error: unknown): boolean {
    return false
  }
}
export class GatewayAuthenticationError extends GatewayError {}

export function createGateway(): never {
  throw new Error('There is no AI gateway')
}

/** The SDK's default provider, asked only for a model that is given by its name. */
export const gateway = undefined
