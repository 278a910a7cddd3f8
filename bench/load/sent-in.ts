/** The properties of a document that is created while the server is measured. */
export const sentIn = (name: string) => ({
  'dc:title': name,
  'dc:description': 'A document that was sent in over the API, with the few properties that such documents have.',
  'dc:source': 'inbox',
  'dc:language': 'en',
})
