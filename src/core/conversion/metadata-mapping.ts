/**
 * Which properties of a document have what of the metadata inside its file; `Document.SetMetadataFromBlob` applies it by its id.
 * @example
 * const scanned: MetadataMapping = { id: 'SCAN', properties: { 'dc:source': 'EXIF:Model', 'dc:rights': 'XMP:Rights' } }
 */
export interface MetadataMapping {
  readonly id: string
  /** Where in the document the file is; its main one when absent. */
  readonly blobXpath?: string
  /** Tags by the xpath of the property that gets them. */
  readonly properties: { readonly [xpath: string]: string }
}
