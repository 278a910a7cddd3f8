const bytesIn: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** Reads `4 GiB`, `50MB`, `1.5 GB` or a plain number of bytes. */
export function parseByteSize(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim())
  const factor = bytesIn[found?.[2]?.toLowerCase() ?? '']
  if (found === null || factor === undefined) return undefined
  const bytes = Math.round(Number(found[1]) * factor)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
