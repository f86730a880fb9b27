import { errors } from '../../core/error.ts'

/** x/params' own (x/params/types/proposal/errors.go). */
export const paramsError = errors('params', {
  unknownSubspace: [2, 'unknown subspace', 'NOT_FOUND'],
})
