import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'
import type { ConversionRules } from './conversions.ts'
import { idlePriority } from './converter.ts'

/** How files are converted, and how much that may take. */
export const conversionSettings = defineSettings({
  conversionProcesses: {
    type: 'integer',
    default: 2,
    min: 1,
    max: 64,
    help: 'Conversions of files that run at once, each in a process of its own',
  },
  conversionsPerUser: {
    type: 'integer',
    default: 200,
    min: 0,
    max: 10_000,
    help: 'Most conversions that one user waits for at the same time, in each process; others of theirs are refused. 0: any number',
  },
  conversionTimeout: {
    type: 'duration',
    default: '2m',
    min: '100ms',
    max: '1d',
    help: 'Time that one conversion of a file may take; videos may take 5 times as long',
  },
  conversionMemory: {
    type: 'bytes',
    default: '1GB',
    min: '128MB',
    help: 'Memory that one conversion of a file may take, with the programs that it starts',
  },
  conversionPriority: {
    type: 'integer',
    default: 10,
    min: 0,
    max: idlePriority,
    help: 'How far conversions stand back where the machine has too much to do, as nice counts it; 0 for not at all, 20 for taking the processor only while nobody else wants it, which needs Linux and the program chrt',
  },
  conversionInBackground: {
    type: 'boolean',
    default: true,
    help: 'Make thumbnails of files, views of pictures and other formats of videos as soon as there is a file, in the background',
  },
  conversionMaxOutput: {
    type: 'bytes',
    default: '1GB',
    min: '1KB',
    help: 'Most that one conversion of a file may make',
  },
  conversionPath: {
    type: 'string',
    help: 'Folders in which programs such as LibreOffice are looked for, with colons between them; PATH when absent',
  },
  conversionCacheTtl: {
    type: 'duration',
    default: '4h',
    min: '0s',
    max: '30d',
    help: 'Time that the result of a conversion is kept, for whoever asks for the same; 0 keeps none',
  },
  conversionCacheMaxBytes: {
    type: 'bytes',
    default: '1GB',
    help: 'Most that kept results of conversions may have together; looked at every 10 minutes',
  },
  convertEnforceSourceMimeTypeCheck: {
    type: 'boolean',
    default: true,
    property: 'platform.convert.enforceSourceMimeTypeCheck',
    help: 'Refuse files to a converter that is named but does not take files of their type',
  },
})

export function conversionRulesOf(values: SettingValues<typeof conversionSettings>): ConversionRules {
  return {
    processes: values.conversionProcesses,
    perUser: values.conversionsPerUser,
    priority: values.conversionPriority,
    checksSources: values.convertEnforceSourceMimeTypeCheck,
    searchPath: values.conversionPath ?? process.env['PATH'] ?? '',
    cacheMillis: values.conversionCacheTtl,
    limits: {
      milliseconds: values.conversionTimeout,
      memoryBytes: values.conversionMemory,
      outputBytes: values.conversionMaxOutput,
      entries: 10_000,
      pages: 5_000,
      // As many as sharp takes by itself: 16,383 squared.
      pixels: 268_402_689,
    },
  }
}
