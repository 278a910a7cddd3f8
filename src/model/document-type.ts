/** A kind of document: what it holds and how it behaves. */
export interface DocumentType {
  readonly name: string
  /** Absent only for the two roots, `Document` and `Relation`. */
  readonly extends?: string
  readonly schemas: readonly string[]
  readonly facets: readonly string[]
  /** Child types that user interfaces offer. Advisory: creation never refuses another type. Not inherited. */
  readonly subtypes: readonly string[]
  readonly forbiddenSubtypes: readonly string[]
  /** Lifecycle by exact type name; absent means the type has none and its state is `undefined`. */
  readonly lifecycle?: string
  /** Transitions that a folder follows alone, without what is in it. Not inherited. */
  readonly ownTransitions?: readonly string[]
  /**
   * What belongs to the document that it is below, rather than being a child of it: it is neither listed among the children nor copied,
   * exported or emptied with them, and goes when its document does. Not inherited.
   */
  readonly isSpecial?: true
  /**
   * The server has a place for it and heeds what it finds there, or gives it rights of its own. So documents of it are made, copied, moved
   * and published by administrators and the server alone.
   */
  readonly isReserved?: true
  /** Shown as `common:icon` when no blob decides it. */
  readonly icon?: string
}

export interface DocumentTypeOptions extends Partial<Omit<DocumentType, 'name'>> {}

/**
 * @example
 * const invoiceType = defineDocumentType('Invoice', { extends: 'File', schemas: ['invoice'], lifecycle: 'default' })
 */
export function defineDocumentType(name: string, options: DocumentTypeOptions): DocumentType {
  return { schemas: [], facets: [], subtypes: [], forbiddenSubtypes: [], ...options, name }
}

/** Child types that user interfaces offer: the declared ones but those that a contribution forbade. */
export function offeredSubtypes(type: DocumentType): readonly string[] {
  return type.subtypes.filter((subtype) => !type.forbiddenSubtypes.includes(subtype))
}

/** A later contribution to a type that another plugin defined: adds schemas, facets, children; forbids children. */
export interface DocumentTypeAddition {
  readonly type: string
  readonly schemas?: readonly string[]
  readonly facets?: readonly string[]
  readonly subtypes?: readonly string[]
  readonly forbiddenSubtypes?: readonly string[]
  /** What is added stands before this one, which the type has, and not at the end: answers and menus keep the order. */
  readonly before?: string
}

/** A capability that a type declares or that one document is given, with the schemas it brings. */
export interface Facet {
  readonly name: string
  readonly schemas: readonly string[]
  /**
   * It steers what the server does with a document: whether it is audited, or taken for one of the server's own. On a single document it is
   * for administrators and the server alone, and copies and versions do not take it along; a type that declares it is reserved by that.
   */
  readonly isReserved?: boolean
}

export function defineFacet(name: string, schemas: readonly string[] = [], options: Pick<Facet, 'isReserved'> = {}): Facet {
  return { name, schemas, ...(options.isReserved && { isReserved: true }) }
}
