import { useLanguage } from '../../words/words.ts'
import { useFieldNames } from '../forms/words.ts'
import { isEmptyPeriod, type Period, periodUnits, type RetentionRule } from './rule.ts'
import { useRetentionWords } from './words.ts'

const unitOf = { years: 'year', months: 'month', days: 'day', millis: 'millisecond' } as const

/** A length of time in words, such as “5 years and 6 months”. */
export function usePeriodWords(): (period: Period) => string {
  const language = useLanguage()
  return (period) => {
    const parts = periodUnits
      .filter((unit) => period[unit] !== 0)
      .map((unit) =>
        new Intl.NumberFormat(language, { style: 'unit', unit: unitOf[unit], unitDisplay: 'long' }).format(period[unit]),
      )
    return new Intl.ListFormat(language).format(parts)
  }
}

/** How long a rule keeps something, and from when on. */
export function useRuleSummary(): (rule: RetentionRule) => string {
  const say = useRetentionWords()
  const inWords = usePeriodWords()
  const nameOf = useFieldNames()
  return ({ policy, period, delay, event, metadata }) => {
    const length = inWords(period)
    switch (policy) {
      case undefined:
        return say('incomplete')
      case 'immediate':
        return say('fromNow', { period: length })
      case 'after_delay':
        return say('fromDelay', { period: length, delay: inWords(delay) })
      case 'event_based':
        return say('fromEvent', { period: length, event })
      case 'metadata_based':
        return say(isEmptyPeriod(period) ? 'untilDate' : 'fromDate', { period: length, property: nameOf(metadata) })
    }
  }
}
