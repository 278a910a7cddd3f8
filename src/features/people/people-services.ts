import type { Services } from '../../rest/services.ts'

/** What users and groups are looked after with, beside the session. */
export type PeopleServices = Pick<Services, 'principals' | 'principalRules' | 'valuesOf'>
