// Package catalog x.
package catalog
