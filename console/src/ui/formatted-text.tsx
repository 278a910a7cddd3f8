import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './formatted-text.module.css'

/** What is shown as it was meant; of anything else only the text is. */
const shownElements: ReadonlySet<string> = new Set(
  'a b blockquote br code em h3 h4 i li ol p pre s strong sub sup table tbody td th thead tr u ul'.split(' '),
)
/** What says nothing. */
const leftOut: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])

/** A text with or without markup, shown without trusting it: elements are made anew, with no attribute but the target of a link. */
export function FormattedText({ text }: { readonly text: string }) {
  const shown = useMemo(() => (/<[a-z/!]/i.test(text) ? partsOf(text) : text), [text])
  return <div className={styles.text}>{shown}</div>
}

function partsOf(html: string): readonly ReactNode[] {
  return nodesOf(new DOMParser().parseFromString(html, 'text/html').body)
}

function nodesOf({ childNodes }: Node): readonly ReactNode[] {
  return [...childNodes].map((node, index) => nodeOf(node, index))
}

function nodeOf(node: Node, key: number): ReactNode {
  if (node instanceof Text) return node.data
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (leftOut.has(name)) return null
  if (name === 'br') return <br key={key} />
  if (!shownElements.has(name)) return <Fragment key={key}>{nodesOf(node)} </Fragment>
  return createElement(name, { key, ...(name === 'a' && linkOf(node)) }, ...nodesOf(node))
}

function linkOf(node: Element) {
  const href = node.getAttribute('href') ?? ''
  return /^(?:https?:|mailto:)/i.test(href) ? { href, target: '_blank', rel: 'noreferrer' } : {}
}
