import { element, InvoiceElement } from './shared.js'

/** @import { ActionApi } from 'quire/console' */

/**
 * Asks, and then marks all that is selected as paid, in the background.
 * @extends {InvoiceElement<ActionApi>}
 */
export default class MarkPaid extends InvoiceElement {
  draw() {
    const { selection, cancel } = this.quire
    const { count } = selection
    const question = this.say(
      count === 1 ? 'Mark this invoice as paid?' : `Mark these ${count} invoices as paid?`,
      count === 1 ? 'Marquer cette facture comme payée ?' : `Marquer ces ${count} factures comme payées ?`,
    )
    const yes = element('button', { className: 'main', onclick: () => void this.#mark(yes) }, this.say('Mark as paid', 'Marquer'))
    const no = element('button', { onclick: cancel }, this.say('Cancel', 'Annuler'))
    this.root.replaceChildren(element('p', {}, question), element('div', { className: 'row' }, yes, no))
  }

  /** @param {HTMLButtonElement} pressed */
  async #mark(pressed) {
    pressed.disabled = true
    try {
      await this.quire.runBulk('automation', {
        operationId: 'Document.FollowLifecycleTransition',
        parameters: { value: 'pay' },
      })
      this.quire.done()
    } catch (error) {
      pressed.disabled = false
      this.quire.toast(error instanceof Error ? error.message : String(error), 'problem')
    }
  }
}
