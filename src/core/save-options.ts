import type { VersioningOption } from '../model/versioning.ts'

/** What a client may ask for of a change, by headers, bodies and parameters. */
export interface ClientSaveOptions {
  /** Asked for explicitly; absent leaves it to the automatic policies. */
  readonly versioning?: VersioningOption
  /** Where the save comes from, for policies that depend on it. */
  readonly source?: string
  /** Goes with the event and into the audit log. */
  readonly comment?: string
  /** The token that the client read: a newer user change since then is a conflict. */
  readonly changeToken?: string
}

/** What only code of the server or of a plugin may ask for: each leaves out something that clients rely on. */
export interface TrustedSaveOptions {
  /** False: no automatic policy makes a version. */
  readonly automaticVersioning?: boolean
  /** False: a checked-in document stays so although it changes. */
  readonly checkout?: boolean
  /** True: the server itself saves what it made, which makes nobody's token outdated although it is a file. */
  readonly isDerived?: boolean
  /** False: not in the audit log. */
  readonly audit?: boolean
  /** False: nobody is notified. */
  readonly notifications?: boolean
  /** False: creator, contributors and dates stay as they are. */
  readonly dublincore?: boolean
  /** False: no thumbnails, views or other work on blobs. */
  readonly media?: boolean
  /** False: values are stored whatever the rules say of them. */
  readonly validation?: boolean
  /** True: even what a version otherwise refuses is written. */
  readonly versionWrite?: boolean
  /** The first lifecycle state of a new document instead of its policy's. */
  readonly initialState?: string
  /** False: it is not checked whether the name is free. The events then tell the name that was asked for. */
  readonly destinationCheck?: boolean
  /** False: what is trashed keeps its name, which is then not free. */
  readonly trashRenaming?: boolean
}

/** How a change is to be stored. What is absent takes the usual course. */
export interface SaveOptions extends ClientSaveOptions, TrustedSaveOptions {}

/**
 * For what users attach to a document without changing it, such as tags: no version, no check-out, no stamp and no row in the audit log
 * tells of it, and versions take it too.
 */
export const attachedBeside: TrustedSaveOptions = {
  automaticVersioning: false,
  checkout: false,
  audit: false,
  dublincore: false,
  media: false,
  versionWrite: true,
}

/** For what the server makes of the files of a document in the background, such as thumbnails. */
export const madeInBackground: TrustedSaveOptions = { ...attachedBeside, notifications: false, isDerived: true }
