export default class Broken extends HTMLElement {
  constructor() {
    super()
    throw new Error('thrown while constructing')
  }
}
