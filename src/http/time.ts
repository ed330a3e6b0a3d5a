/** @param ms milliseconds since 1970. @returns UTC, ISO 8601 with `Z`. */
export const isoOf = (ms: number): string => new Date(ms).toISOString()
