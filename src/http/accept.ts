/**
 * Whether an `Accept` header lets JSON pass, wherever it stands in the list. The old media types with a `+` suffix are
 * JSON too (spec: security 9.9).
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  return remembered(jsonAcceptance, accept, parseJsonAcceptance)
}

/** Whether a person's browser asks: it names HTML, and rather wants that than JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const qualities = parseQualities(accept)
  return (qualities.get('text/html') ?? 0) > (qualities.get('application/json') ?? 0)
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding !== undefined && remembered(gzipAcceptance, acceptEncoding, parseGzipAcceptance)
}

// Clients send few different values, and each on every request.
const jsonAcceptance = new Map<string, boolean>()
const gzipAcceptance = new Map<string, boolean>()
const maxRemembered = 500

function remembered(known: Map<string, boolean>, header: string, parse: (header: string) => boolean): boolean {
  let accepts = known.get(header)
  if (accepts === undefined) {
    accepts = parse(header)
    if (known.size >= maxRemembered) known.clear()
    known.set(header, accepts)
  }
  return accepts
}

function parseJsonAcceptance(accept: string): boolean {
  const qualities = parseQualities(accept)
  if (qualities.size === 0) return true
  const named = [...qualities].filter(([range]) => /^application\/json(\+\w+)?$/.test(range))
  // What is named exactly decides, whatever a wildcard says.
  if (named.length > 0) return named.some(([, quality]) => quality > 0)
  return (qualities.get('application/*') ?? qualities.get('*/*') ?? 0) > 0
}

function parseGzipAcceptance(acceptEncoding: string): boolean {
  const qualities = parseQualities(acceptEncoding)
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0
}

function parseQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    if (range !== '') qualities.set(range, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return qualities
}
