export default class Broken extends HTMLElement {
  connectedCallback() {
    throw new Error('thrown when connected')
  }
}
