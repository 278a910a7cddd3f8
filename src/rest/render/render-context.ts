import type { Highlighting } from '../../core/search/highlighting.ts'
import type { ContentRules, Session } from '../../core/session.ts'
import { type Document, formatChangeToken, formatProxyChangeToken } from '../../model/document.ts'
import type { Exchange } from '../request/exchange.ts'
import { type Depth, type RenderRequest, RenderWishes } from '../request/render-wishes.ts'
import type { Services } from '../services.ts'
import { RenderBudget } from './render-budget.ts'
import type { RenderContext, Rendering } from './rendering.ts'

type Shared = Pick<Exchange, 'services' | 'rendering'> & { readonly request: RenderRequest }

export function createRenderContext(session: Session, exchange: Shared, highlighting?: Highlighting): RenderContext {
  const budget = new RenderBudget(exchange.services.facts.answerLimits)
  return new RequestedRendering(session, exchange, new RenderWishes(exchange.request), budget, 0, highlighting)
}

/** Whether an entity at this level carries its properties and enrichers, or only its base fields. */
export function isShownInFull(context: RenderContext): boolean {
  return context.level <= context.maxLevel
}

const levels: { readonly [depth in Depth]: number } = { root: 0, children: 1, max: 2 }

// A class, because every request makes one: an object literal with getters took 3 µs to create, which is as much as
// writing a whole document takes.
class RequestedRendering implements RenderContext {
  readonly session: Session
  readonly services: Services
  readonly rendering: Rendering
  readonly request: RenderRequest
  readonly budget: RenderBudget
  readonly level: number
  readonly highlighting?: Highlighting
  readonly #wishes: RenderWishes

  constructor(
    session: Session,
    shared: Shared,
    wishes: RenderWishes,
    budget: RenderBudget,
    level: number,
    highlighting?: Highlighting,
  ) {
    this.session = session
    this.services = shared.services
    this.rendering = shared.rendering
    this.request = shared.request
    this.budget = budget
    this.level = level
    if (highlighting !== undefined) this.highlighting = highlighting
    this.#wishes = wishes
  }

  get schemas(): readonly string[] {
    return this.#wishes.schemas
  }

  get maxLevel(): number {
    return levels[this.#wishes.depth]
  }

  get locales(): readonly string[] {
    return this.#wishes.locales
  }

  enrichers(entityType: string): readonly string[] {
    return this.#wishes.perType('enrichers', entityType)
  }

  fetch(entityType: string): readonly string[] {
    return this.#wishes.perType('fetch', entityType)
  }

  translate(entityType: string): readonly string[] {
    return this.#wishes.perType('translate', entityType)
  }

  nested(): RenderContext {
    return new RequestedRendering(this.session, this, this.#wishes, this.budget, this.level + 1)
  }
}

/** The token as clients see it: the counters or, where those are switched off, the time of the last change. */
export function shownChangeToken(rules: ContentRules, document: Document): string | null {
  const { changeToken, proxyChangeToken } = document
  if (rules.changeTokens) {
    return proxyChangeToken === undefined ? formatChangeToken(changeToken) : formatProxyChangeToken(proxyChangeToken, changeToken)
  }
  const modified = document.properties['dc:modified']
  return typeof modified === 'string' ? String(Date.parse(modified)) : null
}
