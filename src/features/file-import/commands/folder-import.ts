import type { Access } from '../../../core/access.ts'
import type { Services } from '../../../rest/services.ts'
import type { FolderPlaces } from './folder-places.ts'
import type { Counter } from './tally.ts'

/** An import of a folder while it goes on: what its steps share. */
export interface FolderImportRun {
  /** Where documents are made, and in whose name. */
  readonly access: Access
  readonly services: Pick<Services, 'importers'>
  readonly places: FolderPlaces
  readonly counter: Counter
  /** Documents of the same name with other content are given that of the file. */
  readonly overwrite: boolean
  /** Files are compared with documents byte by byte. */
  readonly checksum: boolean
}
