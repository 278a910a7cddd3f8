import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that conversions use where it is installed. */
export interface ExternalProgram {
  /** Names under which it may be installed, the best first. */
  readonly commands: readonly string[]
  /** What brings it on Debian and Ubuntu. */
  readonly debian: string
  /** What there is with it only, or better. */
  readonly gives: string
  /** What makes it print which version it is. */
  readonly version: readonly string[]
}

export const externalPrograms = {
  soffice: {
    commands: ['soffice', 'libreoffice'],
    debian: 'libreoffice-nogui',
    gives: 'PDF and thumbnails of office files, conversion between their formats, HTML as they look',
    version: ['--version'],
  },
  pdftohtml: {
    commands: ['pdftohtml'],
    debian: 'poppler-utils',
    gives: 'HTML of PDF with its layout; without it there is the text by page',
    version: ['-v'],
  },
  gs: {
    commands: ['gs'],
    debian: 'ghostscript',
    gives: 'PDF, text and pictures of PostScript and EPS files, text of Illustrator files',
    version: ['--version'],
  },
  ffmpeg: {
    commands: ['ffmpeg'],
    debian: 'ffmpeg',
    gives: 'screenshots, storyboards and other formats of videos, pictures of BMP, PNM, DPX and Photoshop files',
    version: ['-version'],
  },
  ffprobe: {
    commands: ['ffprobe'],
    debian: 'ffmpeg',
    gives: 'what is known of videos and audio',
    version: ['-version'],
  },
  exiftool: {
    commands: ['exiftool'],
    debian: 'libimage-exiftool-perl',
    gives: 'all metadata of pictures, also written',
    version: ['-ver'],
  },
  wpd2text: {
    commands: ['wpd2text'],
    debian: 'libwpd-tools',
    gives: 'text of WordPerfect files',
    version: ['--version'],
  },
  wpd2html: {
    commands: ['wpd2html'],
    debian: 'libwpd-tools',
    gives: 'HTML of WordPerfect files',
    version: ['--version'],
  },
} as const satisfies Record<string, ExternalProgram>

export type ProgramName = keyof typeof externalPrograms

export const programNames = Object.keys(externalPrograms) as readonly ProgramName[]

/** Which programs are there, and where. They are looked for once, when the first is asked for: a start does not wait for it. */
export interface Programs {
  find(name: ProgramName): string | undefined
  /** Those that were found. */
  list(): ReadonlyMap<ProgramName, string>
}

export function createPrograms(searchPath: string, onFound?: (found: ReadonlyMap<ProgramName, string>) => void): Programs {
  let found: ReadonlyMap<ProgramName, string> | undefined
  const list = () => {
    if (found === undefined) {
      found = new Map(programNames.flatMap((name) => placed(name, findCommand(externalPrograms[name].commands, searchPath))))
      onFound?.(found)
    }
    return found
  }
  return { find: (name) => list().get(name), list }
}

function placed(name: ProgramName, path: string | undefined): readonly (readonly [ProgramName, string])[] {
  return path === undefined ? [] : [[name, path]]
}

export function findCommand(commands: readonly string[], searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  return commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
