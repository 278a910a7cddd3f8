// Written when the console handed over version 1, and never changed since: it uses all that there was. Whatever a later console does
// otherwise fails here, as it would in components that people have.
export default class FirstVersion extends HTMLElement {
  set quire(quire) {
    const { version, session, navigation, theme, document: shown } = quire
    const facts = {
      version: version >= 1,
      user: session.user.id,
      name: session.user.name,
      isAdministrator: session.user.isAdministrator,
      title: shown.title,
      uid: shown.uid === shown.uid.toLowerCase(),
      amount: shown.properties['inv:amount'],
      mode: theme.mode,
      density: theme.density,
      language: theme.language,
      address: navigation.documentAddress({ uid: 'x y' }),
      page: navigation.pageAddress('invoices', 'late', 'a/b'),
    }
    const text = document.createElement('pre')
    text.textContent = JSON.stringify(facts)
    const button = (label, press) => {
      const made = document.createElement('button')
      made.textContent = label
      made.onclick = press
      return made
    }
    this.replaceChildren(
      text,
      button('Say it', () => quire.toast('Said by the first version')),
      button('Complain', () => quire.toast('Complained by the first version', 'problem')),
      button('Ask', async () => {
        const found = await session.call('path/nowhere-at-all').catch((error) => error)
        quire.toast(`Refused with ${found.status}`)
      }),
      button('Reload', () => session.documentsChanged()),
      button('Leave', () => navigation.toPage('invoices', 'late')),
      button('Fail', () => quire.fail(new Error('It gave up by itself'))),
    )
  }
}
