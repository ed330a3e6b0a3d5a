/** The peer refused for good: the delivery has failed and is not tried again. */
export class DeliveryRefused extends Error {
  override readonly name = 'DeliveryRefused'
}
