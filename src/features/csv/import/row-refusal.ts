/** What a line of an import can come to, as clients know it: the key of a text behind `label.csv.importer.` (contract: blobs 14). */
export type LineKey =
  | 'missingNameColumn'
  | 'emptyFile'
  | 'missingNameValue'
  | 'missingTypeValue'
  | 'notExistingType'
  | 'parentDoesNotExist'
  | 'notAllowedSubType'
  | 'cannotConvertFieldValue'
  | 'notExistingField'
  | 'notExistingFile'
  | 'documentCreated'
  | 'documentUpdated'
  | 'documentAlreadyExists'
  | 'unableToCreate'
  | 'unableToUpdate'
  | 'errorImportingLine'
  | 'errorDuringImport'
  | 'emptyLine'

export interface LineOutcome {
  readonly status: 'SUCCESS' | 'SKIPPED' | 'ERROR'
  readonly key: LineKey
  readonly params: readonly string[]
  /** For a person. */
  readonly message: string
}

/** Why a line was not imported. */
export class RowRefusal extends Error {
  readonly outcome: LineOutcome

  constructor(key: LineKey, message: string, params: readonly string[] = [], options?: { cause?: unknown }) {
    super(message, options)
    this.outcome = { status: 'ERROR', key, params, message }
  }
}
