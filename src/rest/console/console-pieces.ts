/** What a plugin adds to the console: data that it draws itself, and web components that the plugin brings as files. */
export interface ConsoleContributions {
  /** Where the files of the components are, and nothing else: `new URL('./console/', import.meta.url)`. */
  readonly folder?: URL
  readonly layouts?: readonly ConsoleLayout[]
  readonly widgets?: readonly ConsoleComponent[]
  readonly tabs?: readonly ConsoleTab[]
  readonly actions?: readonly ConsoleAction[]
  readonly pages?: readonly ConsolePage[]
}

/** The same with whose it is. */
export interface ConsolePart extends ConsoleContributions {
  readonly plugin: string
}

/** What a text says; one without languages is for all of them. */
export type ConsoleText = string | { readonly en: string; readonly fr?: string }

type ConsoleValue = string | number | boolean | null

/**
 * What has to hold of a document for something to be shown, as data. In a form the values count that stand there, saved or not.
 * @example
 * const isOpenAndForeign: ConsoleCondition = { all: [{ state: 'open' }, { not: { field: 'inv:currency', is: 'EUR' } }] }
 */
export type ConsoleCondition =
  /** Of the type, or of one that extends it. */
  | { readonly type: string | readonly string[] }
  | { readonly facet: string }
  | { readonly state: string | readonly string[] }
  /** That the user has on it. Lists do not tell it: there it always holds, and the server decides. */
  | { readonly permission: string }
  | { readonly field: string; readonly is: ConsoleValue | readonly ConsoleValue[] }
  | { readonly field: string; readonly isSet: boolean }
  | { readonly all: readonly ConsoleCondition[] }
  | { readonly any: readonly ConsoleCondition[] }
  | { readonly not: ConsoleCondition }

/** How documents of a type, and of those that extend it, are edited and listed. */
export interface ConsoleLayout {
  readonly type: string
  /** In the order of the form. Fields that are in none of them follow. */
  readonly groups?: readonly ConsoleGroup[]
  /** Stand in lists that have such documents, behind the usual ones. */
  readonly columns?: readonly (string | ConsoleColumn)[]
}

export interface ConsoleGroup {
  readonly label: ConsoleText
  readonly fields: readonly (string | ConsoleField)[]
  readonly when?: ConsoleCondition
}

export const consoleWidths = ['full', 'half', 'third'] as const

export interface ConsoleField {
  /** Such as `inv:amount`. */
  readonly field: string
  readonly label?: ConsoleText
  /** A sentence below it. */
  readonly hint?: ConsoleText
  /** Of the form; the whole unless told. */
  readonly width?: (typeof consoleWidths)[number]
  /** The name of one of the plugin's own; what the field is decides otherwise. */
  readonly widget?: string
  readonly when?: ConsoleCondition
}

export interface ConsoleColumn {
  readonly field: string
  readonly label?: ConsoleText
  /** In pixels; 140 unless told. */
  readonly width?: number
}

/** A file whose default export is a class of elements: the console makes one where its place is shown. */
export interface ConsoleComponent {
  /** In small letters: `payment-progress`. */
  readonly name: string
  /** In the folder of the plugin: `payment-progress.js`. */
  readonly file: string
  /** Of what it is handed, as it was when the component was written; later consoles still hand it that. */
  readonly apiVersion?: number
}

/** Stands beside the other views of a document. */
export interface ConsoleTab extends ConsoleComponent {
  readonly label: ConsoleText
  readonly when?: ConsoleCondition
}

/** A button on a document and on what is selected in a list. The component is shown when it was pressed. */
export interface ConsoleAction extends ConsoleComponent {
  readonly label: ConsoleText
  /** Of each of the documents. */
  readonly when?: ConsoleCondition
}

/** A page of its own, with a place in the navigation. */
export interface ConsolePage extends ConsoleComponent {
  readonly label: ConsoleText
  /** Who is shown the way there, beside administrators; everybody unless told. What the page asks for, the server decides about. */
  readonly groups?: readonly string[]
}

/** Of what components are handed. It is counted up when something is added to it; nothing is taken away. */
export const consoleApiVersion = 1

export const componentLists = ['widgets', 'tabs', 'actions', 'pages'] as const

export const fieldOf = (shown: string | ConsoleField) => (typeof shown === 'string' ? { field: shown } : shown)
export const columnOf = (shown: string | ConsoleColumn) => (typeof shown === 'string' ? { field: shown } : shown)
