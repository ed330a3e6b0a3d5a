export type Vector = readonly number[] | Float32Array

/** A vector in one byte a dimension: value ≈ byte × scale. The error of a cosine stays below one percent. */
export interface QuantizedVector {
  bytes: Uint8Array
  scale: number
}

/** Brings a vector to length one and rounds it to int8. A zero vector stays zero. */
export function quantize(vector: Vector): QuantizedVector {
  const unit = normalize(vector)
  let largest = 0
  for (let i = 0; i < unit.length; i++) largest = Math.max(largest, Math.abs(unit[i] ?? 0))
  const scale = largest / 127
  const bytes = new Int8Array(unit.length)
  if (scale > 0) for (let i = 0; i < unit.length; i++) bytes[i] = Math.round((unit[i] ?? 0) / scale)
  return { bytes: new Uint8Array(bytes.buffer), scale }
}

export function normalize(vector: Vector): Float32Array {
  let sum = 0
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0
    sum += value * value
  }
  const length = Math.sqrt(sum)
  const unit = new Float32Array(vector)
  if (length > 0) for (let i = 0; i < unit.length; i++) unit[i] = (unit[i] ?? 0) / length
  return unit
}

/** Cosine of a unit query with the quantized vector at `offset` of `bytes`. */
export function cosineAt(
  query: Float32Array,
  bytes: Int8Array,
  offset: number,
  scale: number,
): number {
  let sum = 0
  for (let i = 0; i < query.length; i++) sum += (query[i] ?? 0) * (bytes[offset + i] ?? 0)
  return sum * scale
}
