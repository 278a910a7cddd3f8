import type { ContentRules } from '../../core/session.ts'
import { type Document, formatChangeToken, formatProxyChangeToken } from '../../model/document.ts'

/** The token as clients see it: the counters or, where those are switched off, the time of the last change. */
export function shownChangeToken(rules: ContentRules, document: Document): string | null {
  const { changeToken, proxyChangeToken } = document
  if (rules.changeTokens) {
    return proxyChangeToken === undefined ? formatChangeToken(changeToken) : formatProxyChangeToken(proxyChangeToken, changeToken)
  }
  const modified = document.properties['dc:modified']
  return typeof modified === 'string' ? String(Date.parse(modified)) : null
}
