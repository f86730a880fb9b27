import { defineModule } from '../../core/module.ts'
import { paramsQueries } from './queries.ts'

/** The SDK's former keeper of parameters: here it only tells them, to clients that still ask for them by name. */
export const params = defineModule({ name: 'params', queries: paramsQueries })
