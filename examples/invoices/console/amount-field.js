import { element, InvoiceElement } from './shared.js'

/** @import { WidgetApi } from 'quire/console' */

/**
 * Edits an amount, and says below it what it is in the currency that stands in the form.
 * @extends {InvoiceElement<WidgetApi>}
 */
export default class AmountField extends InvoiceElement {
  #label = element('label', { htmlFor: 'amount' })
  #input = element('input', { id: 'amount', inputMode: 'decimal', oninput: () => this.#changed() })
  #note = element('p', { className: 'quiet', id: 'note' })

  constructor() {
    super()
    this.#input.setAttribute('aria-describedby', 'note')
    this.root.append(this.#label, this.#input, this.#note)
  }

  /** Handed over again after each key, so that what is there is changed and not made anew: the cursor stays where it is. */
  draw() {
    const { field, value, values } = this.quire
    this.#label.textContent = `${field.label}${field.isRequired ? ' *' : ''}`
    const text = value === null || value === undefined ? '' : String(value)
    // What is being typed is newer than what comes back of it.
    if (this.root.activeElement !== this.#input) this.#input.value = text
    this.#input.setAttribute('aria-invalid', String(field.mistake !== undefined))
    this.#note.textContent = field.mistake ?? this.money(value, values['inv:currency'])
    this.#note.className = field.mistake === undefined ? 'quiet' : 'late'
  }

  #changed() {
    const text = this.#input.value.trim().replace(',', '.')
    this.quire.change(text === '' ? null : Number.isNaN(Number(text)) ? text : Number(text))
  }
}
