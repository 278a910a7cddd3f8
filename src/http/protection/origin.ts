/** Scheme, host and port of a URL, the port as it was written: absent is not the same as the default. */
export interface UrlOrigin {
  readonly scheme: string
  readonly host: string
  readonly port: string
}

const originShape = /^([a-z][a-z\d+.-]*):\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]+)(?::(\d+))?(?=[/?#]|$)/i

/** Reads the beginning of a URL and does not care for the rest; undefined when it does not begin like one. */
export function parseOrigin(url: string): UrlOrigin | undefined {
  const found = originShape.exec(url)
  if (found === null) return undefined
  const [, scheme = '', host = '', port = ''] = found
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase(), port }
}

export function formatOrigin({ scheme, host, port }: UrlOrigin): string {
  return `${scheme}://${host}${port === '' ? '' : `:${port}`}`
}

export function isSameOrigin(left: UrlOrigin, right: UrlOrigin): boolean {
  return left.scheme === right.scheme && left.host === right.host && left.port === right.port
}
