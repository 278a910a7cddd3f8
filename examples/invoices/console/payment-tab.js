import { element, findInvoices, InvoiceElement, isLate } from './shared.js'

/** @import { TabApi } from 'quire/console' */

/**
 * Whether an invoice is paid, a button to say that it is, and what else the customer owes.
 * @extends {InvoiceElement<TabApi>}
 */
export default class PaymentTab extends InvoiceElement {
  #state = element('section')
  #others = element('section')
  /** Of whom the others are shown. */
  #customer = ''

  constructor() {
    super()
    this.root.append(this.#state, this.#others)
  }

  draw() {
    const { document, theme } = this.quire
    const { properties = {}, state } = document
    const due = properties['inv:due']
    const day =
      typeof due === 'string' ? new Intl.DateTimeFormat(theme.language, { dateStyle: 'long' }).format(new Date(due)) : ''
    const sentence =
      state === 'paid'
        ? this.say('This invoice is paid.', 'Cette facture est payée.')
        : day === ''
          ? this.say('This invoice is open.', 'Cette facture est ouverte.')
          : this.say(`This invoice is due on ${day}.`, `Cette facture est due le ${day}.`)
    this.#state.replaceChildren(
      element('h2', {}, this.money(properties['inv:amount'], properties['inv:currency'])),
      element('p', { className: isLate(document) ? 'late' : '' }, sentence),
    )
    if (state === 'open') {
      const label = this.say('Mark as paid', 'Marquer comme payée')
      this.#state.append(element('button', { className: 'main', onclick: () => void this.#pay() }, label))
    }
    const customer = String(properties['inv:customer'] ?? '')
    if (customer === this.#customer) return
    this.#customer = customer
    // Whatever goes wrong later is told to the console, which says so in the place of the tab.
    this.#showOthers(customer).catch((error) => this.quire.fail(error))
  }

  async #pay() {
    const { session, document, toast } = this.quire
    try {
      await session.call(`id/${document.uid}/@op/Document.FollowLifecycleTransition`, {
        method: 'POST',
        json: { params: { value: 'pay' } },
      })
      toast(this.say('The invoice is paid.', 'La facture est payée.'))
      session.documentsChanged()
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'problem')
    }
  }

  /** @param {string} customer */
  async #showOthers(customer) {
    const { document, navigation } = this.quire
    const quoted = customer.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
    const all = await findInvoices(this.quire, `inv:customer = '${quoted}' AND ecm:currentLifeCycleState = 'open'`)
    const others = all.filter(({ uid }) => uid !== document.uid)
    const title = this.say(`Also open at ${customer}`, `Également ouvertes chez ${customer}`)
    const list = others.map((one) =>
      element('p', {}, element('a', { href: navigation.documentAddress(one) }, one.title), ` ${this.#amountOf(one)}`),
    )
    const none = element('p', { className: 'quiet' }, this.say('Nothing else.', 'Rien d’autre.'))
    this.#others.replaceChildren(element('h2', {}, title), ...(list.length === 0 ? [none] : list))
  }

  /** @param {import('quire/console').PieceDocument} invoice */
  #amountOf({ properties = {} }) {
    return this.money(properties['inv:amount'], properties['inv:currency'])
  }
}
