/** A small object under a name of its own that stands for a document (contract: adapters 8). `id` and `type` are in each. */
export interface BusinessObject {
  readonly name: string
  /** The fields by name, with the xpath of what each shows. */
  readonly fields: { readonly [field: string]: string }
  /** The document types that it stands for; when absent, all that have the properties. */
  readonly types?: readonly string[]
}

/**
 * Declares a business object.
 * @example
 * export const noteCard = defineBusinessObject({
 *   name: 'NoteCard', fields: { title: 'dc:title', note: 'note:note' }, types: ['Note'],
 * })
 */
export function defineBusinessObject(object: BusinessObject): BusinessObject {
  return object
}
