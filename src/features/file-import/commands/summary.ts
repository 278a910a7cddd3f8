import { shownBytes, shownNumber, shownRate } from '../../../command/progress-bar.ts'
import type { ImportTally, LeftOutReason, NotImported } from './tally.ts'

/** How an import ended. */
export interface Ending {
  readonly seconds: number
  readonly isDryRun: boolean
  /** All of the folder was looked at. */
  readonly isComplete: boolean
}

/** What a person is told at the end. */
export function summaryOf(tally: ImportTally, ending: Ending): string {
  const lines = [ending.isDryRun ? plannedLine(tally) : doneLine(tally, ending), othersLine(tally)]
  if (!ending.isComplete) lines.push('Stopped before the end: the same command goes on from here.')
  return lines.filter((line) => line !== '').join('\n')
}

function plannedLine({ imported, bytes, folders }: ImportTally): string {
  return `${counted(imported, 'file')} (${shownBytes(bytes)}) would be imported and ${counted(folders, 'folder')} made.`
}

function doneLine({ imported, overwritten, bytes, folders }: ImportTally, { seconds }: Ending): string {
  const rate = shownRate(filesPerSecond(imported + overwritten, seconds))
  const files = `${counted(imported, 'file')} imported`
  return `${files} (${shownBytes(bytes)}) and ${counted(folders, 'folder')} made in ${seconds.toFixed(1)} s: ${rate} files/s.`
}

const leftOutNames: Readonly<Record<LeftOutReason, string>> = { hidden: 'hidden', link: 'link', special: 'special file' }

function othersLine({ alreadyThere, overwritten, leftOut, failed }: ImportTally): string {
  const left = Object.entries(leftOutNames).flatMap(([reason, name]) => {
    const count = leftOut[reason as LeftOutReason]
    return count === 0 ? [] : [reason === 'hidden' ? `${shownNumber(count)} hidden` : counted(count, name)]
  })
  const parts = [
    overwritten > 0 ? `overwritten: ${shownNumber(overwritten)}` : '',
    alreadyThere > 0 ? `already there: ${shownNumber(alreadyThere)}` : '',
    left.length > 0 ? `left out: ${left.join(', ')}` : '',
    failed > 0 ? `failed: ${shownNumber(failed)}` : '',
  ].filter((part) => part !== '')
  const line = parts.join('; ')
  return line === '' ? '' : `${line.charAt(0).toUpperCase()}${line.slice(1)}.`
}

/** What a script is told. */
export function resultOf(tally: ImportTally, to: string, { seconds, isDryRun, isComplete }: Ending) {
  const rate = filesPerSecond(tally.imported + tally.overwritten, seconds)
  return { to, ...tally, seconds: rounded(seconds, 3), filesPerSecond: rounded(rate, 1), isDryRun, isComplete }
}

/** A line about something that was not imported. What would move the cursor of a terminal is shown as an escape. */
export function complaint({ path, reason }: NotImported): string {
  return `not imported: ${printable(path)}: ${printable(reason)}`
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`)
}

function counted(count: number, name: string): string {
  return `${shownNumber(count)} ${name}${count === 1 ? '' : 's'}`
}

function filesPerSecond(files: number, seconds: number): number {
  return seconds > 0 ? files / seconds : 0
}

function rounded(number: number, digits: number): number {
  return Number(number.toFixed(digits))
}
