import type { Log } from '../base/log.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import type { BulkAction } from '../core/bulk/bulk-action.ts'
import type { Directories } from '../core/directories/directories.ts'
import type { Importer } from '../core/file-imports/importer.ts'
import type { AccountRules, PrincipalRules } from '../core/principals/principal-rules.ts'
import type { Principals } from '../core/principals/principals.ts'
import type { Repository } from '../core/session.ts'
import type { Uploads } from '../core/uploads/uploads.ts'
import type { DownloadSettings } from './download-rule.ts'

/** Facts about this server that answers show. */
export interface ServerFacts {
  readonly vendored: VendorIdentifiers
  readonly productVersion: string
  readonly distribution: { readonly name: string; readonly version: string; readonly server: string }
  readonly cluster: { readonly enabled: boolean; readonly nodeId: string }
  readonly maxPageSize: number
  /** `versionLabel` and `lock` are always shown. */
  readonly fetchHeavy: boolean
  /** An empty string is stored as null, also without the header that asks for it. */
  readonly legacyJson: boolean
  readonly aclCompatibility: boolean
  /** The userprofile enricher shows what it did before the profile had more fields. */
  readonly profileCompatibility: boolean
  /** Link to a document's page, with `{base}`, `{repo}` and `{id}` in it. */
  readonly documentUrlPattern: string
  /** Opens the status summary; undefined closes it. */
  readonly statusKey: string | undefined
  /** How long a health check serves. */
  readonly healthCheckMillis: number
}

/** What the resources share: repositories, people, contributions. */
export interface Services {
  readonly repositories: ReadonlyMap<string, Repository>
  readonly principals: Principals
  readonly principalRules: PrincipalRules
  readonly accountRules: AccountRules
  readonly directories: Directories
  readonly capabilities: readonly Capability[]
  /** In the order in which they are asked. */
  readonly importers: readonly Importer[]
  readonly bulkActions: ReadonlyMap<string, BulkAction>
  readonly downloads: DownloadSettings
  readonly uploads: Uploads
  /** How long files that nobody needs are kept. */
  readonly blobGraceMillis: number
  readonly facts: ServerFacts
  readonly log: Log
}

/** A named section of `GET /capabilities`. */
export interface Capability {
  readonly name: string
  describe(services: Services): { readonly [key: string]: unknown }
}
