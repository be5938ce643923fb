package planner

import (
	"slices"
	"testing"
)

func TestSequences(t *testing.T) {
	for sql, want := range map[string][]string{
		"create table t (id serial, b text)":                                  {`CREATE OR REPLACE SEQUENCE "main"."t_id_seq"`},
		"create table if not exists s.t (a int generated always as identity)": {`CREATE SEQUENCE IF NOT EXISTS "s"."t_a_seq"`},
		"create table t (a int, b int generated always as (a) stored)":        nil,
		"create table t as select 1":                                          nil,
		"select 1":                                                            nil,
	} {
		s, err := Parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Sequences(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}
