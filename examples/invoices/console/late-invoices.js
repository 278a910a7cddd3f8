import { element, findInvoices, InvoiceElement } from './shared.js'

/** @import { PageApi, PieceDocument } from 'quire/console' */

/**
 * The invoices that are late, and what they come to.
 * @extends {InvoiceElement<PageApi>}
 */
export default class LateInvoices extends InvoiceElement {
  /** @type {readonly PieceDocument[] | undefined} */
  #late
  #isAsked = false

  draw() {
    if (this.#late !== undefined) this.#show(this.#late)
    else if (!this.#isAsked) void this.#load()
  }

  async #load() {
    this.#isAsked = true
    try {
      const now = new Date().toISOString()
      const condition = `ecm:currentLifeCycleState = 'open' AND inv:due < TIMESTAMP '${now.slice(0, 19).replace('T', ' ')}'`
      this.#late = await findInvoices(this.quire, condition)
      this.#show(this.#late)
    } catch (error) {
      this.quire.fail(error)
    }
  }

  /** @param {readonly PieceDocument[]} late */
  #show(late) {
    if (late.length === 0) {
      this.root.replaceChildren(
        element('p', { className: 'quiet' }, this.say('No invoice is late.', 'Aucune facture en retard.')),
      )
      return
    }
    const dates = new Intl.DateTimeFormat(this.quire.theme.language, { dateStyle: 'medium' })
    const rows = late.map((invoice) => {
      const {
        'inv:customer': customer,
        'inv:due': due,
        'inv:amount': amount,
        'inv:currency': currency,
      } = invoice.properties ?? {}
      const link = element('a', { href: this.quire.navigation.documentAddress(invoice) }, invoice.title)
      return element(
        'tr',
        {},
        element('td', {}, link),
        element('td', {}, String(customer ?? '')),
        element('td', { className: 'late' }, dates.format(new Date(String(due)))),
        element('td', { className: 'amount' }, this.money(amount, currency)),
      )
    })
    const heads = [
      this.say('Invoice', 'Facture'),
      this.say('Customer', 'Client'),
      this.say('Due', 'Échéance'),
      this.say('Amount', 'Montant'),
    ].map((text, index) => element('th', { scope: 'col', className: index === 3 ? 'amount' : '' }, text))
    const count = this.say(`${late.length} late`, `${late.length} en retard`)
    this.root.replaceChildren(
      element('p', { className: 'quiet' }, `${count}: ${this.#totals(late)}`),
      element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows)),
    )
  }

  /** One sum for each currency. @param {readonly PieceDocument[]} late */
  #totals(late) {
    /** @type {Map<string, number>} */
    const sums = new Map()
    for (const { properties = {} } of late) {
      const currency = String(properties['inv:currency'] ?? 'EUR')
      sums.set(currency, (sums.get(currency) ?? 0) + Number(properties['inv:amount'] ?? 0))
    }
    return [...sums].map(([currency, sum]) => this.money(sum, currency)).join(', ')
  }
}
