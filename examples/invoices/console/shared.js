// What the components of invoices have in common. The colours and distances are those of the console, which it has as CSS variables.

/** @import { PieceApi, PieceDocument } from 'quire/console' */

// As a sheet and not as an element: the console's policy has pages run no style that stands in their text.
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  :host { display: block; font: inherit; color: var(--text); }
  section + section { margin-block-start: var(--space-6); }
  h2 { margin: 0 0 var(--space-3); font-size: 14px; }
  p { margin: 0 0 var(--space-3); }
  #note { margin: var(--space-1) 0 0; }
  .quiet { color: var(--text-quiet); }
  .late { color: var(--danger); }
  .row { display: flex; align-items: center; gap: var(--space-2); flex-wrap: wrap; }
  label { display: block; margin-block-end: var(--space-1); font-weight: 600; }
  input { box-sizing: border-box; inline-size: 100%; block-size: 36px; padding: 0 var(--space-3); border: 1px solid var(--line-strong);
    border-radius: var(--radius); background: var(--surface); color: var(--text); font: inherit; }
  button { block-size: 36px; padding: 0 var(--space-4); border: 1px solid var(--line-strong); border-radius: var(--radius);
    background: var(--surface); color: var(--text); font: inherit; cursor: pointer; }
  button.main { border-color: transparent; background: var(--accent); color: var(--on-accent); }
  :is(input, button, a):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  a { color: var(--accent); }
  table { inline-size: 100%; border-collapse: collapse; }
  th, td { padding: var(--space-2); border-block-end: 1px solid var(--line); text-align: start; }
  td.amount, th.amount { text-align: end; font-variant-numeric: tabular-nums; }
`)

/** An element with the style above, that draws itself when it is handed something new. @template {PieceApi} Api */
export class InvoiceElement extends HTMLElement {
  /** @type {Api | undefined} */
  #quire
  root = this.attachShadow({ mode: 'open' })

  constructor() {
    super()
    this.root.adoptedStyleSheets = [sheet]
  }

  get quire() {
    if (this.#quire === undefined) throw new Error('The console has not handed anything over yet.')
    return this.#quire
  }
  set quire(quire) {
    this.#quire = quire
    this.draw()
  }

  /** The text in the language of the user. @param {string} english @param {string} french */
  say(english, french) {
    return this.quire.theme.language === 'fr' ? french : english
  }

  /** @param {unknown} amount @param {unknown} currency */
  money(amount, currency) {
    const format = new Intl.NumberFormat(this.quire.theme.language, { style: 'currency', currency: String(currency ?? 'EUR') })
    return format.format(Number(amount ?? 0))
  }

  draw() {}
}

/**
 * Makes an element. Texts are set as texts, so that what people write into an invoice is never read as HTML.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  Object.assign(made, properties)
  made.append(...children)
  return made
}

/** @param {PieceDocument} invoice */
export function isLate({ state, properties = {} }) {
  const due = properties['inv:due']
  return state === 'open' && typeof due === 'string' && Date.parse(due) < Date.now()
}

/**
 * All invoices that meet a condition, the first due first.
 * @param {PieceApi} quire @param {string} condition
 */
export async function findInvoices({ session }, condition) {
  const query = `SELECT * FROM Invoice WHERE ecm:isVersion = 0 AND ecm:isTrashed = 0 AND ${condition} ORDER BY inv:due`
  /** @type {{ readonly entries: readonly PieceDocument[] }} */
  const { entries } = await session.call('search/lang/NXQL/execute', {
    query: { query, pageSize: 50 },
    headers: { properties: 'dublincore,invoice' },
  })
  return entries
}
