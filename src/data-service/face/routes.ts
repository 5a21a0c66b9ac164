// The service put together: all of its routes.

export { dataServiceRoutes, maxCredentialBytes } from '../data-service-routes.ts';
