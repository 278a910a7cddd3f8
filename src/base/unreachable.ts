/** Stands in the default of a `switch` over a union, so that the compiler finds the forgotten case. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
