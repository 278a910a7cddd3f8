/** @import { TabApi } from 'quire/console' */

// A sheet, because the console runs no style that stands in the text of a page. Colours and distances are its own.
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  :host { display: block; }
  button { block-size: 36px; padding: 0 var(--space-4); border: 0; border-radius: var(--radius); background: var(--accent);
    color: var(--on-accent); font: inherit; cursor: pointer; }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`)

/** Says whether a contract is signed, and signs it. */
export default class SigningTab extends HTMLElement {
  #root = this.attachShadow({ mode: 'open' })
  #sentence = document.createElement('p')
  #button = document.createElement('button')

  constructor() {
    super()
    this.#root.adoptedStyleSheets = [sheet]
    this.#root.append(this.#sentence, this.#button)
  }

  /** Set before the element is shown, and again whenever something has changed. @param {TabApi} quire */
  set quire(quire) {
    const { document: contract, theme } = quire
    const signed = contract.properties?.['contract:signed']
    const day = typeof signed === 'string' ? new Intl.DateTimeFormat(theme.language).format(new Date(signed)) : undefined
    this.#sentence.textContent = day === undefined ? 'Nobody has signed this contract yet.' : `Signed on ${day}.`
    this.#button.textContent = 'Sign'
    this.#button.hidden = day !== undefined
    this.#button.onclick = () => void sign(quire)
  }
}

/** @param {TabApi} quire */
async function sign({ session, document: contract, toast }) {
  try {
    await session.call(`id/${contract.uid}/@op/Contract.Sign`, { method: 'POST', json: {} })
    toast('The contract is signed.')
    session.documentsChanged()
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), 'problem')
  }
}
