import type { DocumentType } from './document-type.ts'
import type { Field } from './field.ts'
import type { DocumentSchema } from './schema.ts'

/** A property of a document: its field, and the name that the store and the answers use. */
export interface PropertyDefinition {
  /** `prefix:field`. */
  readonly name: string
  readonly schema: DocumentSchema
  readonly field: Field
  readonly isSecured: boolean
}

/** What a document of one type with some facets of its own holds: made once and cached, since documents share few shapes. */
export interface Shape {
  readonly type: DocumentType
  readonly facets: readonly string[]
  readonly schemas: readonly DocumentSchema[]
  readonly properties: ReadonlyMap<string, PropertyDefinition>
  hasFacet(name: string): boolean
  hasSchema(name: string): boolean
}
