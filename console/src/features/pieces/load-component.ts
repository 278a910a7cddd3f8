/** Fetches the file of a component and gives its class, as an element that the browser knows. @throws whatever its file throws */
export async function loadComponent(address: string, name: string): Promise<CustomElementConstructor> {
  const { default: made } = (await import(/* @vite-ignore */ address)) as { readonly default?: unknown }
  if (!isElementClass(made)) throw new TypeError('The default export of its file is no class that extends HTMLElement.')
  // The author may have given it a name; a later version of the file brings another class, which needs another name.
  if (customElements.getName(made) === null) customElements.define(freeName(name), made)
  return made
}

function isElementClass(made: unknown): made is CustomElementConstructor {
  return typeof made === 'function' && made.prototype instanceof HTMLElement
}

function freeName(name: string): string {
  for (let number = 1; ; number += 1) {
    const free = `quire-${name}-${number}`
    if (customElements.get(free) === undefined) return free
  }
}

/** Puts an element there. What it throws while it is connected, browsers tell the window alone. @throws what it threw */
export function connect(element: HTMLElement, place: HTMLElement): void {
  let thrown: { readonly error: unknown } | undefined
  const catchIt = (event: ErrorEvent) => {
    event.preventDefault()
    thrown ??= { error: event.error ?? event.message }
  }
  window.addEventListener('error', catchIt)
  try {
    place.replaceChildren(element)
  } finally {
    window.removeEventListener('error', catchIt)
  }
  if (thrown !== undefined) throw thrown.error
}
