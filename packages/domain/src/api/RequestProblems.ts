import { HttpApiMiddleware } from "effect/http-api"
import {
  BadRequest,
  ContentTooLarge,
  InternalError,
  RequestTimeout,
  Unavailable,
  UnsupportedMediaType
} from "../Problems.ts"

/** Failures of any request before its handler runs. */
export class RequestProblems extends HttpApiMiddleware.Service<RequestProblems>()(
  "@carillon/domain/api/RequestProblems",
  { error: [BadRequest, RequestTimeout, ContentTooLarge, UnsupportedMediaType, InternalError, Unavailable] }
) {}
