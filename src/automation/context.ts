import type { Json } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Tracer } from '../base/tracing.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import type { Access } from '../core/access.ts'
import type { BulkAction } from '../core/bulk/bulk-action.ts'
import type { Conversions } from '../core/conversion/conversions.ts'
import type { MetadataMapping } from '../core/conversion/metadata-mapping.ts'
import type { Directories } from '../core/directories/directories.ts'
import type { Importer } from '../core/file-imports/importer.ts'
import type { PrincipalRules } from '../core/principals/principal-rules.ts'
import type { Principals } from '../core/principals/principals.ts'
import type { Renditions } from '../core/renditions/renditions.ts'
import type { Repository, Session, WriteSession } from '../core/session.ts'
import type { Uploads } from '../core/uploads/uploads.ts'
import type { Document } from '../model/document.ts'
import type { JsonObject } from '../model/properties/coercion.ts'
import type { Properties, PropertyValue } from '../model/properties/property.ts'
import type { Xpath } from '../model/properties/xpath.ts'
import type { Principal } from '../model/rights/principal.ts'
import type { Shape } from '../model/shape.ts'
import type { ValuesOf } from '../settings/define-settings.ts'
import type { AutomationRules } from './automation-rules.ts'
import type { CallBudget } from './budget.ts'
import type { BusinessObject } from './business-object.ts'
import type { Diagnostics } from './diagnostics.ts'
import type { OutgoingCalls } from './outgoing-calls.ts'
import type { Stacks } from './stacks.ts'
import type { UiAction } from './ui-action.ts'
import type { UnsavedChanges } from './unsaved-changes.ts'
import type { FlowingBlob } from './values/flowing-blob.ts'
import type { Value } from './values/value.ts'
import type { WorkflowModel } from './workflow.ts'

/**
 * How far a deployed chain or script, and not the caller, has decided what a step is told by a parameter. `declared`: it wrote the
 * value down. `opened`: it named the parameter, and an expression or its own caller says the value. Undefined: the caller alone.
 */
export type Origin = 'declared' | 'opened'

export type Origins = ReadonlyMap<string, Origin>

export const noOrigins: Origins = new Map()

/** What operations share with the rest of the server. */
export interface OperationServices {
  readonly automation: AutomationRules
  readonly repositories: ReadonlyMap<string, Repository>
  readonly principals: Principals
  readonly principalRules: PrincipalRules
  readonly directories: Directories
  /** In the order in which they are asked. */
  readonly importers: readonly Importer[]
  readonly renditions: Renditions
  readonly bulkActions: ReadonlyMap<string, BulkAction>
  /** Page providers of what is no documents, by name. */
  readonly entityProviders: ReadonlyMap<string, { readonly kind: 'entities'; readonly name: string; readonly listType: string }>
  readonly businessObjects: ReadonlyMap<string, BusinessObject>
  readonly uiActions: readonly UiAction[]
  readonly workflows: ReadonlyMap<string, WorkflowModel>
  readonly uploads: Uploads
  readonly conversions: Conversions
  readonly metadataMappings: readonly MetadataMapping[]
  readonly vendored: VendorIdentifiers
  readonly diagnostics: Diagnostics
  /**
   * What a plugin was told, by its declarations: for functions that others call with the services. What a plugin contributes has it from
   * `contribute`.
   */
  readonly valuesOf: ValuesOf
  /** Where what takes time is recorded, if the server is told to. */
  readonly tracer: Tracer
  readonly log: Log
}

/** What the request brings, as far as operations need to know of it: how its JSON is read and what else it says. */
export interface OperationHost {
  /**
   * Fits sent values to the properties of a document, as a PUT does. Keys are names of whole properties.
   * @throws notDeserialisable, readOnlyProperty, blobNotResolvable
   */
  readProperties(session: Session, target: PropertyTarget, sent: JsonObject): Promise<Properties>
  /** The same for one place of a document, whose value it replaces. */
  readValue(session: Session, xpath: Xpath, current: PropertyValue, json: Json): Promise<PropertyValue>
  /** The file that an object stands for (`upload-batch`, `data`, a download address); undefined when it stands for none. */
  findBlob(context: Pick<OperationContext, 'session' | 'writeAtEnd'>, json: JsonObject): Promise<FlowingBlob | undefined>
  /** Whether the file may be had, and the document that it is of be read. */
  mayDownload(session: Session, blob: FlowingBlob): Promise<boolean>
  /** `http://host/context/`: what every link starts with. */
  readonly baseUrl: string
  /** Of the request, by their names in lower case. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** The languages of the request, best first. */
  readonly locales: readonly string[]
  /** Fires when the client does not wait for the answer any more. */
  readonly signal: AbortSignal
}

export interface PropertyTarget {
  readonly shape: Shape
  readonly current: Pick<Document, 'properties'> & Partial<Pick<Document, 'isProxy'>>
}

/** What is written if the call succeeds. */
export type FinalWrite = (session: WriteSession) => Promise<unknown>

export interface RunOptions {
  /** Parameters of the call, seen by every step of it; those of the call that runs it when absent. */
  readonly parameters?: ReadonlyMap<string, Value>
  /** What it does to the variables is not seen afterwards. */
  readonly isIsolated?: boolean
  /** What it finds in variables beside what is there. */
  readonly variables?: ReadonlyMap<string, Value>
  /**
   * The code or the chain itself names what is run, whatever it was sent: the caller's right to run it is not checked. Never say
   * so of a name that came with the call.
   */
  readonly isDeclared?: boolean
  /** Of the parameters: absent when they are the caller's words. */
  readonly origin?: Origin | undefined
  /** Looked at between steps, so that a step can take longer: it then was the last one. */
  readonly timeoutSeconds?: number
}

/** What the steps of one call share, and the way into the repository for whom they act. */
export interface OperationContext<S extends Session = Session> extends Access {
  /** Acts for the caller, or for the user that the chain had logged in when the step began. */
  readonly session: S
  readonly services: OperationServices
  readonly host: OperationHost
  /** What is left for the whole call. What takes long or makes much draws on it. */
  readonly budget: CallBudget
  /** Of the whole call. */
  readonly outgoing: OutgoingCalls
  /** What the step was handed, also where its method does not look at it. */
  readonly input: Value
  readonly variables: Map<string, Value>
  /** Parameters of the call, whichever step they are meant for. */
  readonly callParameters: ReadonlyMap<string, Value>
  /** Of those that deployed chains have told. */
  readonly callOrigins: Origins
  /** Who sent the call, whomever its steps act for. */
  readonly caller: Principal
  readonly stacks: Stacks
  readonly unsaved: UnsavedChanges
  /** Writes in the transaction of the request; where none is open (in an operation that `waits` and comes first), in one of its own. */
  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /**
   * Has something written if the call succeeds, and not if it fails: in its transaction, or where it has none in one of its own, before the
   * answer. The body may run twice.
   */
  writeAtEnd(body: FinalWrite): Promise<void>
  /**
   * Undoes all that the body did when it fails, and nothing else, and throws what it threw: what was written and announced, and what
   * happened to variables, stacks and changes that wait for a save.
   */
  attempt<Result>(body: () => Promise<Result>): Promise<Result>
  /** Runs another operation or chain. @throws operationNotFound, also for what the caller may not call unless it `isDeclared` */
  run(id: string, input: Value, options?: RunOptions): Promise<Value>
  /** Makes sure that the caller could call it by themselves. @throws operationNotFound */
  requireMayRun(id: string): void
  /** Ends the whole call at once, and well: the value is the answer. */
  exit(value: Value, options?: { readonly isUndone?: boolean }): never
  /** How far a deployed chain has decided what this step is told by the parameter; undefined where that is the caller's choice. */
  originOf(parameter: string): Origin | undefined
  /** The same with another input, for expressions about it. */
  on(input: Value): OperationContext<S>
  /** The same in another session, such as that of `write`. */
  within<Other extends Session>(session: Other): OperationContext<Other>
  /** The steps that follow act for another user, until `actAsBefore`. */
  actAs(principal: Principal): void
  actAsBefore(): void
  /** The status of the answer when all goes well. */
  succeedWith(status: number): void
}
