import { trimCache } from '../../core/conversion/conversion-cache.ts'
import { conversionSettings } from '../../core/conversion/conversion-settings.ts'
import { programNames } from '../../core/conversion/programs.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Capability } from '../../rest/services.ts'
import { builtinConverters } from './builtin-converters.ts'
import { convertAdapter } from './convert-adapter.ts'
import { builtinMappings } from './metadata/metadata-mappings.ts'
import { metadataOperations } from './metadata/metadata-operations.ts'
import { concatenatePdfs, convertTo, runConverter, toPdf } from './operations.ts'
import { encrypt, encryptReadOnly, removeEncryption } from './pdf/pdf-encryption.ts'
import { addPageNumbers, convertToPictures, extractPages, mergeWithBlobs, mergeWithDocs } from './pdf/pdf-pages.ts'
import { extractInfo, extractLinks, extractText } from './pdf/pdf-reading.ts'
import { watermarkWithImage, watermarkWithPdf, watermarkWithText } from './pdf/pdf-watermarks.ts'
import { scheduledConversions, scheduledRoutes } from './scheduled-conversion.ts'

export { allConverted, converted, fileAt, fileIn } from './converted-file.ts'
export { docxTypes } from './office-types.ts'
export { openZip, type ZipEntries } from './reading/zip-entries.ts'

/** Which programs there are beside Node.js, and so what files can become. */
const conversion: Capability = {
  name: 'conversion',
  describe: ({ conversions: { programs } }) => ({
    programs: Object.fromEntries(programNames.map((name) => [name, programs.find(name) !== undefined])),
  }),
}

/** Files in other formats. */
export default definePlugin({
  name: 'conversion',
  requires: ['documents', 'files'],
  converters: builtinConverters,
  metadataMappings: builtinMappings,
  adapters: [convertAdapter],
  routes: scheduledRoutes,
  operations: [
    ...[toPdf, convertTo, runConverter, concatenatePdfs],
    ...[addPageNumbers, extractPages, convertToPictures, mergeWithBlobs, mergeWithDocs],
    ...[encrypt, encryptReadOnly, removeEncryption],
    ...[extractInfo, extractLinks, extractText],
    ...[watermarkWithText, watermarkWithImage, watermarkWithPdf],
    ...metadataOperations,
  ],
  capabilities: [conversion],
  contribute: (_, services) => ({
    jobs: [scheduledConversions(services)],
    schedules: [
      {
        name: 'trimConversionCache',
        everySeconds: 600,
        run: (session) => trimCache(session, services.valuesOf(conversionSettings).conversionCacheMaxBytes),
      },
    ],
  }),
})
