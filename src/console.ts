// What the author of a component for the console imports, as types alone: components are files that browsers load as they are.

/**
 * A component of the console: the default export of its file is a class of such elements. The console makes one where its place is
 * shown, and sets `quire` before it is connected and again whenever anything of it has changed.
 */
export interface ConsoleElement<Api extends PieceApi> {
  quire: Api
}

/** What every component is handed. */
export interface PieceApi {
  /** Counted up when something is added; nothing is taken away. */
  readonly version: number
  readonly session: PieceSession
  readonly navigation: PieceNavigation
  readonly theme: PieceTheme
  /** Tells of something that was done, for a while; a problem stays until it was seen. */
  toast(text: string, kind?: 'done' | 'problem'): void
  /** Says in the component's place that it failed, with a way to try again. For what fails later than `quire` is set. */
  fail(error: unknown): void
}

/** The signed-in user, and calls with their rights. */
export interface PieceSession {
  readonly user: { readonly id: string; readonly name: string; readonly isAdministrator: boolean }
  /**
   * Calls the API: `path` is below `/api/v1`. Gives the JSON of the answer. A refusal is thrown as an error with the server's sentence as
   * its message, and with `status`.
   */
  call<Result = unknown>(path: string, request?: PieceCall): Promise<Result>
  /** Has everything that shows documents ask for them anew, after the component has changed some. */
  documentsChanged(): void
}

export interface PieceCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: { readonly [name: string]: string | number | boolean | readonly string[] | undefined }
  readonly headers?: { readonly [name: string]: string }
  readonly json?: unknown
  readonly signal?: AbortSignal
}

/** Ways through the console. Links to these addresses work as its own do. */
export interface PieceNavigation {
  toDocument(document: { readonly uid: string }): void
  /** A page of a plugin; `address` is what the page finds as its own. */
  toPage(plugin: string, page: string, address?: string): void
  documentAddress(document: { readonly uid: string }): string
  pageAddress(plugin: string, page: string, address?: string): string
}

/** How the user wants it to look and speak. Colours, distances and fonts are CSS variables of the page: `var(--accent)`. */
export interface PieceTheme {
  readonly mode: 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  readonly language: 'en' | 'fr'
}

/** A document as the API answers with it. */
export interface PieceDocument {
  readonly uid: string
  readonly type: string
  readonly title: string
  readonly path?: string | null
  readonly state?: string | null
  readonly facets?: readonly string[]
  readonly changeToken?: string | null
  readonly properties?: { readonly [xpath: string]: unknown }
  readonly contextParameters?: { readonly [name: string]: unknown }
}

/** Handed to what edits a field in a form. */
export interface WidgetApi extends PieceApi {
  readonly document: PieceDocument
  readonly field: {
    readonly xpath: string
    readonly label: string
    readonly hint?: string
    readonly isRequired: boolean
    /** What the server said against the value. */
    readonly mistake?: string
  }
  readonly value: unknown
  /** All that stands in the form, saved or not. */
  readonly values: { readonly [xpath: string]: unknown }
  /** Has the form hold another value, which is sent when it is saved. */
  change(value: unknown): void
}

/** Handed to a tab of a document. */
export interface TabApi extends PieceApi {
  readonly document: PieceDocument
}

/** Handed to an action, which was pressed for a document or for what is selected in a list. */
export interface ActionApi extends PieceApi {
  readonly selection: {
    readonly count: number
    /** Of what is selected one by one; empty where it is everything that a list has, also what was never loaded. */
    readonly ids: readonly string[]
    readonly isEverything: boolean
  }
  /** Starts a bulk action on the selection, in the background and with the user's rights; the console shows how far it is. */
  runBulk(action: string, parameters?: object): Promise<void>
  /** Ends the action: its dialog is closed, and nothing is selected. */
  done(): void
  /** Closes the dialog and leaves the selection. */
  cancel(): void
}

/** Handed to a page. */
export interface PageApi extends PieceApi {
  /** What stands behind the page's own address, without a slash before it. */
  readonly address: string
}
