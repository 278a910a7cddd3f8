export default class Broken extends HTMLElement {
  set quire(_) {
    throw new Error('thrown when handed')
  }
}
