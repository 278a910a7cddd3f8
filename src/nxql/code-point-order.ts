/** Orders texts by code points, as both databases do; `<` would put what lies beyond U+FFFF before U+E000. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at)
    const other = right.charCodeAt(at)
    if (one !== other) return isSurrogate(one) === isSurrogate(other) ? one - other : isSurrogate(one) ? 1 : -1
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
